/** What the page's policy allows <style> elements by: control writes it into each page that it sends. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
