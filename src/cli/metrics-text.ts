/** One figure of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/** Reads what a role says at `/metrics`; lines that say something else are left out. */
export function readMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', number = ''] = SAMPLE.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || Number.isNaN(value)) return [];
    const pairs = Array.from(
      labels.matchAll(LABEL),
      ([, label = '', quoted = '']): [string, string] => [label, unescaped(quoted)],
    );
    return [{ name, labels: new Map(pairs), value }];
  });
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) =>
    character === 'n' ? '\n' : character,
  );
}
