/**
 * A whole number with commas between thousands, as `toLocaleString('en-US')` writes it, for texts that are made when a process starts: Node
 * takes ten milliseconds to load its tables of languages.
 */
export const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
