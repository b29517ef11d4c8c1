import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** The colours of the lagoon; every text on them has a contrast of 4.5 or more in both schemes. */
export const theme = createTheme({
  primaryColor: 'lagoon',
  primaryShade: { light: 8, dark: 7 },
  colors: {
    lagoon: [
      '#e6f8fb',
      '#d0eef4',
      '#a3dde8',
      '#72cadb',
      '#4bbacf',
      '#31afc8',
      '#1c9fba',
      '#0d8097',
      '#0b7084',
      '#075c6d',
    ],
  },
  defaultRadius: 'md',
  fontFamily:
    'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  components: {
    Paper: { defaultProps: { withBorder: true, radius: 'md' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200 } },
  },
});

/** What Mantine's own greys leave too faint to read. */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-body': '#ffffff',
    '--rialto-canvas': '#f6f8f9',
    '--mantine-color-placeholder': '#6b7278',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-teal-light-color': '#066649',
    '--mantine-color-orange-light-color': '#a13a00',
    '--mantine-color-red-light-color': '#a61e1e',
  },
  dark: {
    '--mantine-color-dimmed': '#a3abb2',
    '--mantine-color-body': '#1b1e22',
    '--rialto-canvas': '#141619',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8787',
  },
});
