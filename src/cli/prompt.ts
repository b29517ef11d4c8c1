import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from '../base/errors.ts';

/** Longer than any client id or secret. */
const LINE_LENGTH_MAX = 4_096;

/** Where a person, or a pipe, answers questions. */
export interface Questioner {
  /** A person can be asked. */
  readonly isPerson: boolean;
  /** Asks for a line, which is shown while it is typed. */
  ask(question: string): Promise<string>;
  /** Asks for a line that nobody is to see; without a person it is the first line of the input. */
  askSecret(question: string): Promise<string>;
}

interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Questions are written to the error output, so that the output stays what a program reads. */
export function createQuestioner(
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Questioner {
  const isPerson = input.isTTY && output.isTTY;
  return {
    isPerson,
    ask: (question) => askPerson({ input, output, question, echo: output }),
    askSecret: async (question) => {
      if (!isPerson) return firstLine(input);
      output.write(question);
      try {
        return await askPerson({ input, output, question: '', echo: new Silence() });
      } finally {
        output.write('\n');
      }
    },
  };
}

interface Asked extends Streams {
  readonly question: string;
  /** Where readline shows what is typed. */
  readonly echo: Writable;
}

/** @throws CommandError when the person ends it. */
async function askPerson({ input, question, echo }: Asked): Promise<string> {
  const lines = createInterface({ input, output: echo, terminal: true, historySize: 0 });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    return await lines.question(question, { signal: ended.signal });
  } catch (error) {
    throw new CommandError('Nothing was entered, and nothing was done.', { cause: error });
  } finally {
    lines.close();
  }
}

/** Takes what is typed and shows none of it. */
class Silence extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > LINE_LENGTH_MAX) break;
  }
  const [line = ''] = text.split('\n');
  return line.replace(/\r$/, '');
}
