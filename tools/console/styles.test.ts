import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findUnstyled, stylesOf } from './styles.ts';

test('a component whose classes stand in scripts and in no style sheet of the build is found', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'rialto-styles-'));
  t.after(() => rmSync(root, { recursive: true }));
  const [dist, styles] = [join(root, 'dist'), join(root, 'styles')];
  for (const folder of [join(dist, 'assets'), styles]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(dist, 'assets/a.js'), 'root:"m_11aa22bb",label:"m_33cc44dd"');
  writeFileSync(join(dist, 'assets/a.css'), '.m_11aa22bb{color:red}');
  writeFileSync(join(styles, 'Button.layer.css'), '.m_11aa22bb{color:red}');
  writeFileSync(join(styles, 'Tabs.layer.css'), '.m_33cc44dd{color:red}');
  writeFileSync(join(styles, 'Tree.layer.css'), '.m_55ee66ff{color:red}');
  assert.deepEqual(findUnstyled(dist, styles), ['Tabs.layer.css']);
});

test('the styles of the installed library are found', () => {
  assert.match(stylesOf(join(import.meta.dirname, '../../console')) ?? '', /core\/styles$/);
});
