import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { styleNonce } from './app/style-nonce.ts';
import './app/styles.css';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
// What libraries put into <style> elements carries it as well (get-nonce reads it there).
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
createRoot(root).render(<App />);
