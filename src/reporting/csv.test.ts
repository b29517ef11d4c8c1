import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

test('a report is a header line and one line a row', () => {
  const rows = [
    { platform: 'iOS', bids: 3, gross_revenue: 0.0151, rewarded: true },
    { platform: '', bids: 0, gross_revenue: 0, rewarded: false },
  ];
  assert.equal(
    csvOf({ columns: ['platform', 'rewarded', 'gross_revenue', 'bids'], rows }),
    'platform,rewarded,gross_revenue,bids\r\niOS,true,0.0151,3\r\n,false,0,0\r\n',
  );
});

test('a report without rows is its header', () => {
  assert.equal(csvOf({ columns: ['date', 'bids'], rows: [] }), 'date,bids\r\n');
});

test('commas, quotes and line breaks are quoted', () => {
  const rows = [{ app: 'a,b' }, { app: 'say "hi"' }, { app: 'two\nlines' }];
  assert.equal(
    csvOf({ columns: ['app'], rows }),
    'app\r\n"a,b"\r\n"say ""hi"""\r\n"two\nlines"\r\n',
  );
});

test('a text that a spreadsheet would run is made harmless, a number is left alone', () => {
  const rows = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx'].map((app) => ({ app, bids: -1 }));
  assert.equal(
    csvOf({ columns: ['app', 'bids'], rows }),
    "app,bids\r\n'=1+1,-1\r\n'+1,-1\r\n'-1,-1\r\n'@SUM(A1),-1\r\n'\tx,-1\r\n",
  );
});
