import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Line, ReconcileReport } from '../commands/reconcile-section.ts';
import { describeReport } from './reconcile-table.ts';

function line(differs: Partial<Line>): Line {
  return {
    what: 'impressions',
    unit: 'count',
    figures: ['1234567', '0', '1234567'],
    agrees: true,
    difference: '',
    differences: [],
    ...differs,
  };
}

function report(lines: readonly Line[], agrees: boolean): ReconcileReport {
  const columns = ['journal', 'on its way', 'raw events'];
  const section = { title: 'Journal and raw events', columns, lines, notes: ['one note'] };
  return { date: '2026-11-20', node: 'a'.repeat(16), agrees, isEmpty: false, sections: [section] };
}

test('figures stand below each other, with both sides and a verdict on each line', () => {
  const money = { what: 'what is paid', unit: 'cpm_micros' } as const;
  const lines = [
    line({}),
    line({ ...money, figures: ['1234567890123456789', '0', '1500000000'] }),
    line({ what: 'to be read', figures: ['1', '2', '3'], agrees: null }),
  ];
  assert.equal(
    describeReport(report(lines, true)),
    `Reconciliation of 2026-11-20 (UTC)

Journal and raw events
                                    journal  on its way  raw events
  impressions                     1,234,567           0   1,234,567  agrees
  what is paid  1,234,567,890.123456789 USD    0.00 USD    1.50 USD  agrees
  to be read                              1           2           3
  note: one note

Everything agrees.`,
  );
});

test('a difference is told on its line, with its differences below', () => {
  const differs = {
    agrees: false,
    difference: '1 missing in the store',
    differences: ['this', 'that'],
  };
  const text = describeReport(report([line({}), line(differs), line(differs)], false));
  assert.match(text, /agrees\n.* {2}DIFFERS: 1 missing in the store\n {6}this\n {6}that\n/);
  assert.match(text, /\n\n2 lines differ\.$/);
});

test('a day of which nothing was recorded is not said to agree', () => {
  const text = describeReport({ ...report([], true), isEmpty: true });
  assert.match(text, /\n\nNothing was recorded on 2026-11-20\.$/);
  assert.ok(!text.includes('Everything agrees'));
});
