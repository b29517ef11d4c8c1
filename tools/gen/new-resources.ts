import { AD_SPACE } from '../../src/resources/ad-space.ts';
import { BIDDER } from '../../src/resources/bidder.ts';
import { APP_FIELDS, SITE_FIELDS } from '../../src/resources/property.ts';
import { PUBLISHER } from '../../src/resources/publisher.ts';

/** What forms begin with, and the module and type of what the API takes. */
const NEW = [
  ['NEW_AD_SPACE', 'AdSpaceInput', 'ad-space', AD_SPACE.document(AD_SPACE.initial)],
  ['NEW_APP', 'AppInput', 'property', APP_FIELDS.document(APP_FIELDS.initial)],
  ['NEW_BIDDER', 'BidderInput', 'bidder', BIDDER.document(BIDDER.initial)],
  ['NEW_PUBLISHER', 'PublisherInput', 'publisher', PUBLISHER.document(PUBLISHER.initial)],
  ['NEW_SITE', 'SiteInput', 'property', SITE_FIELDS.document(SITE_FIELDS.initial)],
] as const;

/** What each resource is of which nothing is said, so that the console's forms begin as the server does. */
export function newResourcesModule(): string {
  const types = Map.groupBy(NEW, ([, , module]) => module);
  return [
    '// Written by "npm run gen" from the fields of src/resources; change them there.',
    ...[...types].map(
      ([module, resources]) =>
        `import type { ${resources.map(([, type]) => type).join(', ')} } from '../../../src/resources/${module}.ts';`,
    ),
    '',
    "type Whole<Input> = Required<Omit<Input, 'id'>>;",
    ...NEW.flatMap(([name, type, , document]) => [
      '',
      `export const ${name}: Whole<${type}> = {`,
      ...Object.entries(document).map(([key, value]) => `  ${key}: ${literal(value)},`),
      '};',
    ]),
    '',
  ].join('\n');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
