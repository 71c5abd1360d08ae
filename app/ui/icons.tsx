import type { ReactNode } from 'react'

function Icon({ size = 18, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

/** A half-dark disc. */
export const ThemeIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.5" />
    <path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />
  </Icon>
)

/** A magnifying glass. */
export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 4 4" />
  </Icon>
)

/** Three lines, for the button that opens the list of pages. */
export const MenuIcon = () => (
  <Icon>
    <path d="M3 5.5h14M3 10h14M3 14.5h14" />
  </Icon>
)

/** Two overlapping sheets, for copying. */
export const CopyIcon = () => (
  <Icon size={14}>
    <rect x="7" y="7" width="9" height="10" rx="1.5" />
    <path d="M13 4.5H6A1.5 1.5 0 0 0 4.5 6v8" />
  </Icon>
)

/** A check mark, for done. */
export const DoneIcon = () => (
  <Icon size={14}>
    <path d="m4.5 10.5 4 4 7-9" />
  </Icon>
)
