/**
 * Returns options that bound an `LRUCache` without memory for its entries in advance: with `max` it fills lists of that length when it is
 * made, ten milliseconds of a start for a hundred thousand entries.
 * @param most entries that it holds at once
 */
export const unreserved = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })
