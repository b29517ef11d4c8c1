const START = /^\w+-\w+-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/;

/** When the process of a segment started, to the second; 0 where the name does not say. */
export function startOfSegment(name: string): number {
  const [, year, month, day, hour, minute, second] = START.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) || 0;
}
