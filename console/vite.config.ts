import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds a control to talk to; `npm run demo` starts one. */
const CONTROL = process.env['RIALTO_CONTROL_URL'] ?? 'http://127.0.0.1:8080';

/** What control answers itself; the console is everything else. */
const OF_CONTROL = '^/(api|reporting|reference|openapi.json|livez|v2/auth/(session|token))(/|$)';

export default defineConfig({
  plugins: [react()],
  build: {
    manifest: true,
    // An inlined asset would be a data: address, which the policy of the pages refuses for scripts and fonts.
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
  },
  server: { proxy: { [OF_CONTROL]: { target: CONTROL } } },
});
