/** Characters of a domain, as DNS has them. */
const DOMAIN_LENGTH_MAX = 253;
/** Labels of letters, digits, hyphens and, as some servers have them, underscores; the last begins with a letter. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//;
const PATH = /[/?#\\].*$/s;
const PORT = /:\d*$/;
const WILDCARD = /^\*?\./;
const WWW = /^www\.(?=.*\.)/;
/** A name and what separates it from the one before; sticky, so that a run of blanks is read once. */
const PART = /([\s,;|]*)([^\s,;|]+)/gy;
/** What a path may have in it as well, and what in a part of it shows that it is another address. */
const IN_PATH = /^[,;]+$/;
const NOT_IN_PATH = /[/\\]{2}|@/;
/** What would make another part of an address of it. */
const OTHER_THAN_HOST = /[@:%[\]]/;
const NOT_ASCII = /\P{ASCII}/u;

/**
 * The form in which domains are compared, whoever wrote them: without scheme, `www.`, wildcard, port,
 * path and final dot, in small letters and ASCII. Null for a malformed name.
 */
export function canonicalDomain(text: string): string | null {
  if (isCanonical(text)) return text;
  let host = text.trim().toLowerCase().replace(SCHEME, '').replace(PATH, '').replace(PORT, '');
  if (host.length > DOMAIN_LENGTH_MAX + 1) return null;
  if (NOT_ASCII.test(host)) host = inAscii(host);
  host = host.replace(/\.$/, '').replace(WILDCARD, '').replace(WWW, '');
  return isHost(host) ? host : null;
}

/** As most names are written, which then are only looked at. */
function isCanonical(text: string): boolean {
  return isHost(text) && !WWW.test(text);
}

/** A host name in ASCII, as browsers write it; empty if it is malformed. */
function inAscii(host: string): string {
  return OTHER_THAN_HOST.test(host) ? '' : (URL.parse(`http://${host}`)?.hostname ?? '');
}

/**
 * The domains that one text names, several with commas, semicolons, bars or blanks between them, each
 * in its canonical form; one that is malformed as it was written. Behind a comma or semicolon the path
 * of an address may go on: there a malformed part is not a name.
 */
export function domainsIn(text: string): string[] {
  if (isCanonical(text)) return [text];
  const names: string[] = [];
  let isInPath = false;
  for (const [, between = '', part = ''] of text.matchAll(PART)) {
    const name = canonicalDomain(part);
    isInPath &&= IN_PATH.test(between) && !NOT_IN_PATH.test(part);
    if (isInPath && (name === null || !isDomain(name))) continue;
    names.push(name ?? part);
    isInPath ||= PATH.test(part.toLowerCase().replace(SCHEME, ''));
  }
  return names;
}

/** Whether a canonical name is one that an advertiser can have: a top level alone is not. */
export function isDomain(name: string): boolean {
  return name.includes('.') && isHost(name);
}

/** Whether a canonical name can be listed: a top level alone can. */
export function isHost(name: string): boolean {
  return name.length <= DOMAIN_LENGTH_MAX && HOST.test(name);
}

/** What a list says, in the form in which domains are compared. */
export function listedDomain(text: string): string {
  return canonicalDomain(text) ?? text.trim().toLowerCase();
}

/**
 * The end of a canonical domain that has at most so many labels: only that can be listed where no
 * listed domain has more. A bidder may name hundreds of domains of a hundred labels each.
 */
export function lastLabels(name: string, labelsMax: number): string {
  let start = name.length + 1;
  for (let labels = 0; labels < labelsMax && start > 0; labels += 1) {
    start = start < 2 ? 0 : name.lastIndexOf('.', start - 2) + 1;
  }
  return name.slice(start);
}

export function countLabels(name: string): number {
  let labels = 1;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) labels += 1;
  return labels;
}
