import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Id } from './copyable.tsx';

interface EntityNameProps {
  readonly name: string;
  readonly id: number | string;
  /** Its page. */
  readonly href: string;
}

/** What something is called, which leads to its page, and its id below. */
export function EntityName({ name, id, href }: EntityNameProps) {
  return (
    <>
      <Anchor
        size="sm"
        display="block"
        miw={110}
        className="break-anywhere"
        renderRoot={(props) => <Link to={href} {...props} />}
      >
        {name}
      </Anchor>
      <Text component="div" c="dimmed" {...(typeof id === 'number' ? { className: 'nowrap' } : {})}>
        <Id value={id} what={`the id of ${name}`} />
      </Text>
    </>
  );
}
