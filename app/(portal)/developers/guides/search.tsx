import { Button } from '@/app/ui/button'
import { Input } from '@/app/ui/input'
import { GUIDES_PATH } from '@/lib/guides/guides'

/** A search form for the guides; it works without script. */
export function GuideSearch({ asked }: { asked?: string }) {
  return (
    <search>
      <form action={GUIDES_PATH} className="mb-4 flex flex-wrap gap-2">
        <Input
          name="q"
          type="search"
          defaultValue={asked}
          aria-label="Search the guides"
          placeholder="Search the guides"
          className="flex-[1_1_9rem]"
        />
        <Button type="submit" size="small">
          Search
        </Button>
      </form>
    </search>
  )
}
