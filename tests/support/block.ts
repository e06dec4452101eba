/** Keeps this process from anything else for so long, as too much work does. */
export function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
