import type { ReactNode } from 'react';

interface ScrollingProps {
  /** What scrolls, for whoever cannot see it. */
  readonly label: string;
  /** Below this width, in pixels, it scrolls. */
  readonly minWidth: number;
  readonly children: ReactNode;
}

/** What is wider than a phone and scrolls by itself, by keys as well: nothing in it takes the focus. */
export function Scrolling({ label, minWidth, children }: ScrollingProps) {
  return (
    // Whoever has no mouse scrolls it by its focus (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
      <div style={{ minWidth }}>{children}</div>
    </div>
  );
}
