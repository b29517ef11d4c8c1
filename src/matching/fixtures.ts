/** A browser that keeps what it is told to, whatever the address is. */
export class CookieJar {
  readonly #kept = new Map<string, string>();

  /** Takes `Set-Cookie` lines. */
  take(lines: string | readonly string[] | undefined): void {
    for (const line of [lines ?? []].flat()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (/; Max-Age=0(?:;|$)/.test(rest)) this.#kept.delete(name);
      else this.#kept.set(name, value);
    }
  }

  /** The `Cookie` header of the next request; empty for none. */
  get header(): string {
    return [...this.#kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get names(): readonly string[] {
    return [...this.#kept.keys()];
  }
}
