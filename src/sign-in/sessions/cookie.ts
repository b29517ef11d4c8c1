/** The cookie that a browser keeps a session's id in. */
export interface SessionCookie {
  readonly name: string;
  /** What the `Cookie` header has under the name, whatever it is; null where it has nothing. */
  read(header: string | undefined): string | null;
  /** For `Set-Cookie`: the browser keeps it until it is closed. */
  keep(id: string): string;
  /** For `Set-Cookie`: the browser forgets it. */
  readonly forget: string;
}

/** Of control's own pages only: the id is shown to no script, and to no other host. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/**
 * The cookie of sessions. Over https its name has the prefix that browsers let nobody but this very
 * host set; without it, another host of the same domain could put its own session in the place.
 *
 * @param authUrl control's address that others see.
 */
export function createSessionCookie(authUrl: string): SessionCookie {
  const isSecure = URL.parse(authUrl)?.protocol === 'https:';
  const name = isSecure ? '__Host-rialto_session' : 'rialto_session';
  const attributes = isSecure ? `${ATTRIBUTES}; Secure` : ATTRIBUTES;
  return {
    name,
    read: (header = '') => valueOf(header, name),
    keep: (id) => `${name}=${id}; ${attributes}`,
    forget: `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** Of several under one name the first, which browsers send first; an empty one is none. */
function valueOf(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, Math.max(equals, 0)).trim() !== name) continue;
    return pair.slice(equals + 1).trim() || null;
  }
  return null;
}
