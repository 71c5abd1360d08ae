import { guideOf } from '@/lib/portal/guide-of'

/** The footer of every page: the guide to the page if there is one, the service's status, and the API changelog. */
export function Foot({ portal, path }: { portal: string; path: string }) {
  const guide = guideOf(path)
  return (
    <footer className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-t border-line py-4 text-sm text-quiet print:hidden">
      <span>
        {guide && (
          <>
            Guide: <a href={`${portal}/developers/guides/${guide.slug}`}>{guide.title}</a>
          </>
        )}
      </span>
      <span className="flex gap-x-6">
        <a href={`${portal}/status`}>Status</a>
        <a href={`${portal}/developers/guides/changelog`}>API changelog</a>
      </span>
    </footer>
  )
}
