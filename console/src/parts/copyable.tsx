import { ActionIcon, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

interface CopyProps {
  /** What is copied. */
  readonly value: string;
  /** What it is, for whoever cannot see: `the line item's id`. */
  readonly what: string;
}

/** A button that copies, and says that it has. */
export function CopyIcon({ value, what }: CopyProps) {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="sm"
            aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
            onClick={(event) => {
              // A row or a link around it has an action of its own.
              event.stopPropagation();
              event.preventDefault();
              copy();
            }}
          >
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An id as it stands in addresses and requests, with what copies it. */
export function Id({ value, what }: { readonly value: string | number; readonly what: string }) {
  return (
    <Group gap={2} wrap="nowrap" component="span" display="inline-flex">
      <Text span ff="monospace" size="sm" style={{ wordBreak: 'break-all' }}>
        {value}
      </Text>
      <CopyIcon value={String(value)} what={what} />
    </Group>
  );
}

/** A text of several lines to copy: a command, a tag, JSON. Shown as text, whatever it contains. */
export function CodeBlock({
  value,
  what,
  maxHeight = 360,
}: CopyProps & { readonly maxHeight?: number }) {
  return (
    <div className="code-block">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={what}
        style={{ maxHeight, overflow: 'auto' }}
      >
        {value}
      </Code>
      <div className="code-block-copy">
        <CopyIcon value={value} what={what} />
      </div>
    </div>
  );
}

/** JSON, laid out; a text that is no JSON as it is. */
export function JsonBlock({ value, what, maxHeight }: CopyProps & { readonly maxHeight?: number }) {
  const laidOut = layOut(value);
  return (
    <CodeBlock value={laidOut} what={what} {...(maxHeight === undefined ? {} : { maxHeight })} />
  );
}

function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
