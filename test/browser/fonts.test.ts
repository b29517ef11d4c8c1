import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/browser.ts';

test('text has a size, and wide letters are wider than narrow ones', async (t) => {
  const page = await openPage(t);
  await page.setContent('<span id="narrow">iiiiiiii</span><br><span id="wide">WWWWWWWW</span>');
  const narrow = await page.locator('#narrow').boundingBox();
  const wide = await page.locator('#wide').boundingBox();
  assert.ok(narrow !== null && narrow.width > 0 && narrow.height > 0, 'text without a size');
  assert.ok(wide !== null && wide.width > narrow.width * 2, 'letters of one width');
});
