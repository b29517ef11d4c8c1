/** The look of names in tables: long ones break anywhere, and turn nothing but themselves around. */
export const BREAKING = {
  minWidth: '7.5rem',
  maxWidth: '22rem',
  overflowWrap: 'anywhere',
  unicodeBidi: 'isolate',
} as const;
