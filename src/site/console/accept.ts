/** A type or coding that a client names, and how much it wants it: 0 is not at all. */
interface Preference {
  readonly name: string;
  readonly weight: number;
}

/** Whether a client would take a page: one that says nothing takes everything. */
export function takesHtml(accept: string | undefined): boolean {
  const preferences = preferencesOf(accept);
  if (preferences.length === 0) return true;
  return ['text/html', 'text/*', '*/*'].some((range) => weightOf(preferences, range, 0) > 0);
}

/**
 * Which of the codings that there are the client gets, the best first; null is none of them, which
 * every client understands (RFC 9110, section 12.5.3).
 */
export function chooseEncoding<T extends string>(
  acceptEncoding: string | undefined,
  available: readonly T[],
): T | null {
  const preferences = preferencesOf(acceptEncoding);
  const others = weightOf(preferences, '*', 0);
  return available.find((coding) => weightOf(preferences, coding, others) > 0) ?? null;
}

function weightOf(preferences: readonly Preference[], name: string, fallback: number): number {
  return preferences.find((each) => each.name === name)?.weight ?? fallback;
}

function preferencesOf(header: string | undefined): readonly Preference[] {
  return (header ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    if (name === '') return [];
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    return [{ name, weight: Number.isFinite(weight) ? weight : 0 }];
  });
}
