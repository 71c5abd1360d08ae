import { SERVICE } from '@/lib/core/service'

/** The name with its logo, a plumb bob on its line; links to the home page. With `isShort`, narrow windows show only the logo. */
export function Mark({ home, isShort }: { home: string; isShort: boolean }) {
  return (
    <a className="inline-flex items-center gap-2.5 font-semibold tracking-tight text-ink no-underline" href={home}>
      {/* biome-ignore lint/performance/noImgElement: an icon of 300 bytes gains nothing from the image optimizer. */}
      <img src="/icon.svg" width={26} height={26} alt="" />
      <span className={isShort ? 'sr-only sm:not-sr-only' : undefined}>{SERVICE.name}</span>
    </a>
  )
}
