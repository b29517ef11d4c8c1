import type { Parameters } from './ad-address.ts';

type Tell = (parameters: Parameters) => void;
type ConsentApi = (...args: unknown[]) => void;

/** One framework: the function that its consent managers put into the page, and how it answers. */
interface Framework {
  readonly name: string;
  /** Asks once and listens from then on. */
  readonly listen: (api: ConsentApi, tell: Tell) => void;
  /** What is sent for a manager that has not answered in time. */
  readonly silent: Parameters;
}

/**
 * Reads the consent managers of the page (TCF 2, US Privacy, GPP): what they say now, or within
 * the wait for one that has not said anything yet.
 */
export function createConsent(waitMs: number): () => Promise<Parameters> {
  const readers = FRAMEWORKS.map((framework) => createReader(framework, waitMs));
  return () => Promise.all(readers.map((read) => read())).then((all) => Object.assign({}, ...all));
}

function createReader({ name, listen, silent }: Framework, waitMs: number) {
  let told: Parameters | null = null;
  let listens = false;
  let waiting: (() => void)[] = [];
  const tell: Tell = (parameters) => {
    told = parameters;
    for (const resume of waiting) resume();
    waiting = [];
  };
  return (): Promise<Parameters> => {
    const api: unknown = Reflect.get(window, name);
    if (typeof api !== 'function') return Promise.resolve({});
    if (!listens) {
      listens = true;
      try {
        listen((...args) => void Reflect.apply(api, window, args), tell);
      } catch (error) {
        console.warn('rialto: ' + name + ' failed', error);
      }
    }
    if (told !== null) return Promise.resolve(told);
    return new Promise((resolve) => {
      const resume = (): void => resolve(told || silent);
      waiting.push(resume);
      setTimeout(resume, waitMs);
    });
  };
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: '__tcfapi',
    // A manager that does not answer may be about to ask the user: until then there is no consent.
    silent: { gdpr: '1' },
    listen: (api, tell) => {
      api('addEventListener', 2, (data: unknown, success: unknown) => {
        if (success !== true) return;
        const applies = field(data, 'gdprApplies');
        const status = field(data, 'eventStatus');
        const consent = field(data, 'tcString');
        if (applies === false) tell({ gdpr: '0' });
        else if (status === 'tcloaded' || status === 'useractioncomplete') {
          tell({ gdpr: '1', ...text('consent', consent) });
        }
      });
    },
  },
  {
    name: '__uspapi',
    silent: {},
    listen: (api, tell) => {
      api('getUSPData', 1, (data: unknown, success: unknown) => {
        if (success === true) tell(text('us_privacy', field(data, 'uspString')));
      });
    },
  },
  {
    name: '__gpp',
    silent: {},
    listen: (api, tell) => {
      const take = (ping: unknown): void => {
        if (field(ping, 'signalStatus') !== 'ready') return;
        const sections = field(ping, 'applicableSections');
        tell({
          ...text('gpp', field(ping, 'gppString')),
          ...text('gpp_sid', Array.isArray(sections) ? sections.join(',') : ''),
        });
      };
      api('addEventListener', (event: unknown) => take(field(event, 'pingData')));
      api('ping', take);
    },
  },
];

function field(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
}

function text(name: string, value: unknown): Parameters {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
}
