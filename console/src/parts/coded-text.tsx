import { Code } from '@mantine/core';

/** A sentence of the server's: what stands between backticks in it is a name in code. */
export function CodedText({ text }: { readonly text: string }) {
  // Every other part stands between two of them.
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts of one text never change their order.
      // oxlint-disable-next-line react/no-array-index-key
      <Code key={index} fz="inherit">
        {part}
      </Code>
    ),
  );
}
