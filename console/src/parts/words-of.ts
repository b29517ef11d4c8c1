/** A value of the API in words. */
export function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.length === 0 ? 'nothing' : value.join(', ');
  }
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
