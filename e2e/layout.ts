import type { Page } from '@playwright/test'

/** The widths of windows that every page is made for, from a telephone to a large screen. */
export const WIDTHS = [360, 768, 1024, 1280, 1920] as const
export const THEMES = ['light', 'dark'] as const

const CONTROLS = [
  ...['a[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea', 'summary'].map((each) => `main ${each}`),
  'header a[href]',
  'header button',
].join(', ')

/** Runs in the page, so it must not use anything of this file. */
function findFaults(controls: string): string[] {
  const nameOf = (node: Element) => {
    const words = node.getAttribute('aria-label') ?? node.textContent ?? ''
    return `<${node.tagName.toLowerCase()}> ${words.trim().replace(/\s+/g, ' ').slice(0, 60)}`
  }
  const isShown = (node: Element) => {
    const box = node.getBoundingClientRect()
    return box.width > 1 && box.height > 1 && node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }
  // What ends in an ellipsis is told whole elsewhere; code scrolls in its own box. Tables have no such box.
  const mayHide = (node: HTMLElement, { overflowX, textOverflow }: CSSStyleDeclaration) => {
    if (overflowX === 'visible' || textOverflow === 'ellipsis') return true
    if (/^(INPUT|TEXTAREA|SELECT|PRE)$/.test(node.tagName)) return true
    if (overflowX !== 'auto' && overflowX !== 'scroll') return false
    return node.matches('[tabindex="0"]:has(pre, code)')
  }
  const isCutOff = (node: HTMLElement) =>
    node.scrollWidth - node.clientWidth > 1 &&
    node.clientWidth > 1 &&
    isShown(node) &&
    !mayHide(node, getComputedStyle(node))
  /** Returns what stands over the middle of a control, if not the control itself or its label. */
  const coverOf = (node: HTMLElement): string | undefined => {
    node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = node.getClientRects()[0]
    if (!box || box.width < 2) return undefined
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    if (!hit) return 'the edge of the window'
    const own = [node, node.closest('label'), ...('labels' in node ? Array.from(node.labels as NodeList) : [])]
    return hit.contains(node) || own.some((each) => each?.contains(hit)) ? undefined : nameOf(hit)
  }

  const over = document.documentElement.scrollWidth - innerWidth
  const faults = over > 0 ? [`the page can be scrolled ${over} px sideways`] : []
  for (const node of document.body.querySelectorAll<HTMLElement>('*'))
    if (isCutOff(node)) faults.push(`${node.scrollWidth - node.clientWidth} px of ${nameOf(node)} are cut off`)
  for (const node of document.querySelectorAll<HTMLElement>(controls)) {
    const cover = isShown(node) && !node.closest('[inert], [aria-hidden=true]') ? coverOf(node) : undefined
    if (cover) faults.push(`${nameOf(node)} is covered by ${cover}`)
  }
  window.scrollTo(0, 0)
  for (const box of document.querySelectorAll('main *')) if (box.scrollLeft > 0) box.scrollLeft = 0
  return faults
}

/**
 * Returns what of a page is cut off, can be scrolled sideways, or cannot be clicked because something covers it; nothing where it is well
 * made.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults, CONTROLS)

/** Returns how far what is on a page moved while it loaded, as Chromium counts it: the cumulative layout shift. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value)
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(sum), 100)
      }),
  )
