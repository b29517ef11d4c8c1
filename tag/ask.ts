/** An ad as `/ad` gives it. */
export interface Ad {
  readonly id: string;
  readonly adm: string;
  readonly w: number;
  readonly h: number;
  readonly adomain?: readonly string[];
  readonly crid?: string;
  /** Not there for what the ad space shows when nobody bought. */
  readonly beacons?: { readonly impression: string; readonly view: string; readonly click: string };
  /** How often the ad space may show another one. */
  readonly refresh?: { readonly min_seconds: number; readonly max_per_page?: number | null };
}

/** An exchange that is full, or just starting, asks to come back after a second. */
const BUSY_STATUS = 503;
const BUSY_WAIT_MS = 1000;

/**
 * Asks for an ad, with the cookie of user matching if the browser lets it go.
 *
 * @returns null when nobody bought; rejects with an Error that says what is wrong.
 */
export function askForAd(address: string, tries = 2): Promise<Ad | null> {
  return fetch(address, { credentials: 'include' }).then((response) => {
    if (response.status === BUSY_STATUS && tries > 1) {
      return later(BUSY_WAIT_MS).then(() => askForAd(address, tries - 1));
    }
    if (response.status === 204) return null;
    return response.json().then((body: unknown) => {
      if (response.ok && isAd(body)) return body;
      throw new Error(describe(response.status, body));
    });
  });
}

function later(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, waitMs);
  });
}

function isAd(body: unknown): body is Ad {
  return typeof body === 'object' && body !== null && typeof Reflect.get(body, 'adm') === 'string';
}

/** A refusal names what is wrong, for the page's engineer. */
function describe(status: number, body: unknown): string {
  const { message = '', errors = [] }: Refusal = Object(body);
  const details = errors.map((error) => error.pointer + ' ' + error.message);
  return [String(status), message].concat(details).join(' ');
}

interface Refusal {
  readonly message?: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}
