import type { Notices } from '../analytics/reconcile-wire.ts';
import type { JournalSide } from './reconcile-journal.ts';
import type { Line, Section } from './reconcile-section.ts';

/** Differences that are named one by one. */
const DIFFERENCES_MAX = 5;

/** What the courier still has to call. */
export interface PendingNotices {
  /** Notices that were due on the day and wait; see `noticeKey`. */
  readonly keys: ReadonlySet<string>;
  /** How far each segment of the journal has been read for notices. */
  readonly readTo: ReadonlyMap<string, number>;
  /** False while the courier fills its store anew from the journal. */
  readonly isWhole: boolean;
}

const LABELS: Readonly<Record<Notices['event'], string>> = {
  win: 'win notices',
  billing: 'billing notices',
};

/** What was due beside what became of it. Loss notices are called as best one can and not compared. */
export function noticesSection(
  notices: readonly Notices[],
  journal: JournalSide,
  pending: PendingNotices,
): Section {
  const lines: Line[] = [];
  const notes: string[] = [];
  for (const each of notices) {
    const { event, due, delivered, given_up: givenUp, repeated } = each;
    const open = judgeOpen(each, journal, pending);
    const strays = each.stray_keys.filter((key) => !journal.dueWaiting.has(`${event} ${key}`));
    const said = [
      ...(open.missing > 0 ? [`${open.missing} neither delivered, given up nor waiting`] : []),
      ...(strays.length > 0 ? [`${strays.length} delivered and never due`] : []),
    ];
    lines.push({
      what: LABELS[event],
      unit: 'count',
      figures: [due, delivered, givenUp, open.waiting, open.onItsWay].map(String),
      agrees: said.length === 0,
      difference: said.join(', '),
      differences: [...open.differences, ...strays].slice(0, DIFFERENCES_MAX).map((key) => {
        const [auction, imp] = key.split(' ');
        return `${event} notice of auction ${auction} imp ${imp}`;
      }),
    });
    if (givenUp > 0) notes.push(`${LABELS[event]}: ${givenUp} given up without an answer`);
    if (repeated > 0) notes.push(`${LABELS[event]}: ${repeated} delivered more than once`);
  }
  const columns = ['due', 'delivered', 'given up', 'waiting', 'on its way'];
  return { title: 'Notices of this node', columns, lines, notes };
}

interface OpenNotices {
  readonly waiting: number;
  /** Their end is in the journal, and not in the store yet. */
  readonly onItsWay: number;
  readonly missing: number;
  readonly differences: readonly string[];
}

/** Where those are that the store knows as neither delivered nor given up. */
function judgeOpen(
  { event, open, open_keys: keys }: Notices,
  journal: JournalSide,
  pending: PendingNotices,
): OpenNotices {
  let [waiting, onItsWay] = [0, 0];
  const differences: string[] = [];
  for (const key of keys) {
    const name = `${event} ${key}`;
    if (journal.doneWaiting.has(name)) onItsWay += 1;
    else if (journal.dueUnread.has(name) || pending.keys.has(name)) waiting += 1;
    else differences.push(key);
  }
  // Where there are more than are named, the others are compared by their number.
  const unnamed = open - keys.length;
  const ofEvent = [...pending.keys].filter((name) => name.startsWith(`${event} `)).length;
  const others = Math.min(unnamed, Math.max(0, ofEvent - waiting));
  waiting += others;
  return { waiting, onItsWay, missing: differences.length + unnamed - others, differences };
}
