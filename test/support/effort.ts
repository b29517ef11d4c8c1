/**
 * How often what is tried with random values is tried: once over in the gate, so many times over in
 * soak, where `RIALTO_SOAK_EFFORT` says it.
 */
const EFFORT = Math.max(1, Number(process.env['RIALTO_SOAK_EFFORT'] ?? 1) || 1);

/** @param inTheGate how often the gate tries it, with seeds of its own each time. */
export function runs(inTheGate: number): number {
  return Math.round(inTheGate * EFFORT);
}
