import type { Theme } from '@/lib/portal/theme'

/** The pictures of the product that `npm run pictures` takes of the demonstration, and what they show. */
const SHOWN = {
  home: 'The home page of a contractor: open and overdue amounts, leads, and what needs somebody',
  'who-owes': 'The report of who owes: the sums by age, and the customers with what they owe and since when',
}

type Props = {
  of: keyof typeof SHOWN
  theme: Theme
  /** True for the picture that is seen without scrolling. */
  isFirst?: boolean
}

/** A picture of the product in the reader's theme. Its size is known before it is loaded, so nothing moves. */
export function Picture({ of, theme, isFirst = false }: Props) {
  const file = (shown: 'light' | 'dark') => `/pictures/${of}-${shown}.webp`
  return (
    <picture>
      {theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={file('dark')} />}
      <img
        src={file(theme === 'dark' ? 'dark' : 'light')}
        alt={SHOWN[of]}
        width={1280}
        height={800}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        className="h-auto w-full rounded-lg border border-line shadow-xl"
      />
    </picture>
  )
}
