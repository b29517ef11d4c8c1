import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHeader, csvLines } from './csv.ts';

test('a report is a header line and one line a row', () => {
  const rows = [
    { platform: 'iOS', bids: 3, gross_revenue: 0.0151, rewarded: true },
    { platform: '', bids: 0, gross_revenue: 0, rewarded: false },
  ];
  const columns = ['platform', 'rewarded', 'gross_revenue', 'bids'];
  assert.equal(csvHeader(columns), 'platform,rewarded,gross_revenue,bids\r\n');
  assert.equal(csvLines(columns, rows), 'iOS,true,0.0151,3\r\n,false,0,0\r\n');
});

test('separators of any country, quotes and line breaks are quoted', () => {
  const rows = ['a,b', 'a;=b', 'a\tb', 'say "hi"', 'two\nlines', 'plain'].map((app) => ({ app }));
  assert.equal(
    csvLines(['app'], rows),
    '"a,b"\r\n"a;=b"\r\n"a\tb"\r\n"say ""hi"""\r\n"two\nlines"\r\nplain\r\n',
  );
});

test('a text that a spreadsheet would run is made harmless, a number is left alone', () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠x', ' =1', '\u200b=1'];
  for (const app of formulas) assert.equal(csvLines(['app'], [{ app }]), `'${app}\r\n`);
  for (const app of ['\tx', '\r=1', '\nx', '\u0000\t=1']) {
    assert.equal(csvLines(['app'], [{ app }]), `"'${app}"\r\n`);
  }
  for (const app of ['a=1', 'com.example-app', 'é', ' x', '1-2']) {
    assert.equal(csvLines(['app'], [{ app }]), `${app}\r\n`);
  }
  assert.equal(csvLines(['bids'], [{ bids: -1 }]), '-1\r\n');
});
