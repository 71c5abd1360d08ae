'use client'

import { Contrast } from 'lucide'
import { useState } from 'react'
import { chooseTheme, THEMES, type Theme, themeOf } from '@/lib/portal/theme'
import { Icon } from './glyph'

const NAMES: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }

/** Switches between dark, light and the device's theme. Hidden without JavaScript, where the device decides. */
export function ThemeSwitch({ theme: first }: { theme: Theme }) {
  const [theme, setTheme] = useState(first)
  function choose(value: string): void {
    const chosen = themeOf(value)
    setTheme(chosen)
    chooseTheme(chosen)
  }
  return (
    <label className="relative grid size-8 place-items-center rounded-md outline-focus hover:bg-sunken has-focus-visible:outline-2 noscript:hidden">
      <span className="sr-only">Theme</span>
      <Icon of={Contrast} />
      <select
        value={theme}
        onChange={({ target }) => choose(target.value)}
        className="absolute inset-0 cursor-pointer bg-raised text-ink opacity-0"
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {NAMES[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
