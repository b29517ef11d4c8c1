import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kindOfMarkup, protocolOfVast } from './markup.ts';
import { VideoProtocol } from './video-lists.ts';

function vast(version: string, inside = '<InLine></InLine>'): string {
  return `<VAST version="${version}"><Ad id="1">${inside}</Ad></VAST>`;
}

test('markup is told by how it starts', () => {
  const cases = {
    vast: [
      vast('2.0'),
      `<?xml version="1.0" encoding="UTF-8"?>\n${vast('3.0')}`,
      `  <!-- made by a bidder --><!-- twice -->${vast('3.0')}`,
      '<vast version="2.0"/>',
      '<VAST>',
    ],
    native: ['{"native":{}}', '\n {"assets":[]}', '{ not JSON'],
    html: ['<a href="x">', '', '<!-- never ends', '<VASTNESS>', 'VAST', '<div>{</div>', '[]'],
  } as const;
  for (const [kind, markups] of Object.entries(cases)) {
    for (const adm of markups) assert.equal(kindOfMarkup(adm), kind, adm);
  }
});

test('VAST 2 and 3 are recognised, inline and as wrappers', () => {
  const wrapper = '<Wrapper><VASTAdTagURI/></Wrapper>';
  const cases: [adm: string, protocol: VideoProtocol | undefined][] = [
    [vast('2.0'), VideoProtocol.Vast2],
    [vast('2.0.1'), VideoProtocol.Vast2],
    [vast('3.0'), VideoProtocol.Vast3],
    [vast('2.0', wrapper), VideoProtocol.Vast2Wrapper],
    [vast('3.0', wrapper), VideoProtocol.Vast3Wrapper],
    ["<?xml version='1.0'?><VAST xmlns:xs='http://x.example' version='3.0'/>", VideoProtocol.Vast3],
    [vast('4.2'), undefined],
    ['<VAST/>', undefined],
    ['<VAST versions="2.0">', undefined],
    ['<VAST></VAST><x version="2.0">', undefined],
    ['{}', undefined],
  ];
  for (const [adm, protocol] of cases) assert.equal(protocolOfVast(adm), protocol, adm);
});

test('any text is of a kind, and only VAST has a protocol', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => vast('2.0', text)),
      ),
      (adm) => {
        const kind = kindOfMarkup(adm);
        if (kind !== 'vast') assert.equal(protocolOfVast(adm), undefined);
      },
    ),
  );
});
