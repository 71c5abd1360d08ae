import { SERVICE } from '@/lib/core/service'

/** The name with its sign, a plumb bob on its line; leads home. */
export function Mark() {
  return (
    <a className="mark" href="/">
      {/* biome-ignore lint/performance/noImgElement: an icon of 300 bytes gains nothing from the image optimizer. */}
      <img src="/icon.svg" width={28} height={28} alt="" />
      {SERVICE.name}
    </a>
  )
}
