const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * One address that mail is sent to or comes from, in the form that browsers ask for: ASCII, without
 * quotes, so that neither a second address nor a header fits into it.
 */
export const MAIL_ADDRESS_PATTERN = `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})*$`;

const PATTERN = new RegExp(MAIL_ADDRESS_PATTERN);

export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_ADDRESS_LENGTH_MAX && PATTERN.test(text);
}

export const MAIL_ADDRESS_LENGTH_MAX = 254;

/** The part behind the last `@`, in lower case. */
export function mailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
