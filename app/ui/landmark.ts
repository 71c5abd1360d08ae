/**
 * Returns the container for a popup of an element: its dialog, otherwise its landmark, so that people who navigate by landmarks find it.
 * These containers do not clip, unlike elements in between.
 */
export const landmarkOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[role=dialog], header, main') ?? null
