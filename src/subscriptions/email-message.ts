import { ownField } from '../base/fields.ts';
import type { EventType } from './event-types.ts';

/** An event as its delivery holds it. */
export interface SentEvent {
  readonly id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly data: object;
}

export interface Email {
  /** One line, whatever stands in the event. */
  readonly subject: string;
  readonly text: string;
}

const SUBJECT_LENGTH_MAX = 150;
/** Names of partners, creatives and line items are others' texts. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** What an event says in its subject. */
const SUBJECTS: Readonly<Record<EventType, (data: object) => string>> = {
  'bidder.unhealthy': (data) => `The bidder of ${said(data, 'name')} fails`,
  'bidder.healthy': (data) => `The bidder of ${said(data, 'name')} answers again`,
  'budget.used_up': (data) => `The daily limit of ${said(data, 'name')} is used up`,
  'line_item.no_traffic': (data) => `${said(data, 'name')} has had no bid request for an hour`,
  'line_item.traffic_resumed': (data) => `${said(data, 'name')} has bid requests again`,
  'creative.awaiting_review': (data) =>
    said(data, 'waiting') === '1'
      ? 'A creative awaits review'
      : `${said(data, 'waiting')} creatives await review`,
  'certificate.expiring': (data) =>
    `The certificate of ${said(data, 'host')} expires on ${dayOf(data, 'valid_to')}`,
  'certificate.expired': (data) =>
    `The certificate of ${said(data, 'host')} has expired on ${dayOf(data, 'valid_to')}`,
  'certificate.renewed': (data) => `The certificate of ${said(data, 'host')} was renewed`,
  'batch.quarantined': () => 'A batch is quarantined',
  'attention.raised': (data) => said(data, 'message'),
  'attention.resolved': (data) => `Resolved: ${said(data, 'message')}`,
  // What somebody names a recipient is nothing that another person must read.
  'subscription.test': () => 'Test of e-mail',
};

/** Those that are sentences for people already; the rest follows as a list. */
const SENTENCES = ['sentence', 'message', 'action'] as const;

/**
 * Words an event as plain text.
 *
 * @param controlUrl control's address, without a slash at its end.
 */
export function emailOf(
  { id, type, created_at: at, data }: SentEvent,
  recipient: { readonly id: number },
  controlUrl: string,
): Email {
  const subject = oneLine(SUBJECTS[type](data));
  const sentences = SENTENCES.map((key) => said(data, key)).filter((text) => text !== '');
  const details = Object.entries(type === 'subscription.test' ? {} : data)
    .filter(([key]) => !SENTENCES.some((sentence) => sentence === key))
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? oneLine(value) : jsonOf(value)}`);
  const paragraphs = [
    [`${subject}.`.replace(/\.\.$/, '.')],
    sentences.filter((text) => text !== subject),
    details,
    [`Event ${id} (${type}), ${at}`],
    ['Change or stop these e-mails here:', `${controlUrl}/email-recipients/${recipient.id}`],
  ];
  const text = paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return { subject: shortened(`[Rialto] ${subject}`), text: `${text}\n` };
}

/** A field as text on one line; empty where it is not there. */
function said(data: object, key: string): string {
  const value = ownField(data, key);
  return typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : '';
}

/** Of an instant. */
function dayOf(data: object, key: string): string {
  return said(data, key).slice(0, 10);
}

function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ').trim();
}

function jsonOf(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? 'null');
}

function shortened(text: string): string {
  const points = Array.from(text);
  return points.length <= SUBJECT_LENGTH_MAX
    ? text
    : `${points.slice(0, SUBJECT_LENGTH_MAX - 1).join('')}…`;
}
