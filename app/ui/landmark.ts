/**
 * Where what pops up beside an element belongs: its dialog, else its landmark, so that who goes from landmark to landmark comes past it. None
 * of them clips, unlike what stands between.
 */
export const landmarkOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[role=dialog], header, main') ?? null
