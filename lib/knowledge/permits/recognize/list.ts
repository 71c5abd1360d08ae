/** Reads a list of phrases set apart by commas, so that a table of many stays readable. */
export const list = (text: string): string[] => text.split(',').map((phrase) => phrase.trim())
