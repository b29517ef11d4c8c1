import { Button, Group, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

/** An auction, or one of its bid requests: `BidRequest.id` begins with the id of its auction. */
const ID = /^([0-9a-f]{32})\d*$/;

/** Opens an auction by an id that somebody has from their log. */
export function JumpToAuction({ root }: { readonly root: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const id = ID.exec(typed.trim().toLowerCase())?.[1];
        if (id !== undefined) void navigate({ to: `${root}/${id}` });
        else setProblem('An id is 32 digits and letters from a to f.');
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="Auction id or BidRequest.id"
          placeholder="Auction id or BidRequest.id"
          w={{ base: 240, sm: 300 }}
          value={typed}
          error={problem}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setProblem(null);
          }}
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" variant="default">
          Open
        </Button>
      </Group>
    </form>
  );
}
