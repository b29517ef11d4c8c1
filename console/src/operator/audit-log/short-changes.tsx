import { Code, Stack, Text } from '@mantine/core';
import type { ShownAuditEntry } from '../../../../src/management/audit-log/schema.ts';
import { wordsOf } from '../../parts/words-of.ts';

/** A few changes, a line for each. */
export function ShortChanges({ changes }: Pick<ShownAuditEntry, 'changes'>) {
  return (
    <Stack component="ul" gap={2} pb="sm" className="plain-list">
      {changes.map(({ field, before, after }) => (
        <Text component="li" size="sm" key={field} className="break-anywhere" lineClamp={12}>
          {field}: {/* What was done once, such as a sign-in, has nothing before. */}
          {before !== undefined && (
            <>
              <Code>{wordsOf(before)}</Code> to{' '}
            </>
          )}
          <Code>{wordsOf(after)}</Code>
        </Text>
      ))}
    </Stack>
  );
}
