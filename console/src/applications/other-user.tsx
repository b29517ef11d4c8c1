import { Button, Group, NumberInput } from '@mantine/core';
import { useState } from 'react';

interface OtherUserProps {
  readonly userId: number | undefined;
  readonly onChoose: (userId: number | undefined) => void;
}

/** Whose applications an operator looks at. */
export function OtherUser({ userId, onChoose }: OtherUserProps) {
  const [typed, setTyped] = useState<string | number>(userId ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(typed === '' ? undefined : Number(typed));
      }}
    >
      <Group gap="xs" align="flex-end" mb="md">
        <NumberInput
          label="Of the user"
          placeholder="yours"
          value={typed}
          onChange={setTyped}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          w={180}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
        {userId !== undefined && (
          <Button variant="subtle" onClick={() => onChoose(undefined)}>
            Show yours
          </Button>
        )}
      </Group>
    </form>
  );
}
