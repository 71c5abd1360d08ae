'use client'

import { useEffect, useState } from 'react'
import { chooseLanguage, onLanguage, type SampleLanguage } from '@/lib/portal/language'
import { type Tab, Tabs } from './tabs.client'

type Props = {
  label: string
  /** The tabs; each tab's id is its language. */
  tabs: Tab[]
  /** The reader's choice, from its cookie. */
  chosen: SampleLanguage | undefined
}

/** Tabs for languages. A choice is stored, and all other groups on the page switch to it if they have that language. */
export function LanguageTabs({ label, tabs, chosen: first }: Props) {
  const [chosen, setChosen] = useState<string>(first ?? '')
  useEffect(() => onLanguage(setChosen), [])
  return <Tabs label={label} tabs={tabs} chosen={chosen} onChoose={chooseLanguage} />
}
