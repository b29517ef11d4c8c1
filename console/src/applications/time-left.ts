/** What is left until a time, as it counts down: `59:07`. */
export function timeLeft(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((Date.parse(at) - nowMs) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const rest = [minutes, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return hours === 0 ? rest : `${hours}:${rest}`;
}
