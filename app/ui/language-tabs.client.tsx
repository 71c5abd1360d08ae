'use client'

import { useEffect, useState } from 'react'
import { chooseLanguage, onLanguage, type SampleLanguage } from '@/lib/portal/language'
import { type Tab, Tabs } from './tabs.client'

type Props = {
  label: string
  /** Each tab's id is the language it shows. */
  tabs: Tab[]
  /** The reader's choice, from its cookie. */
  chosen: SampleLanguage | undefined
}

/** Tabs of languages: a choice is kept, and every other group of them on the page follows where it has that language. */
export function LanguageTabs({ label, tabs, chosen: first }: Props) {
  const [chosen, setChosen] = useState<string>(first ?? '')
  useEffect(() => onLanguage(setChosen), [])
  return <Tabs label={label} tabs={tabs} chosen={chosen} onChoose={chooseLanguage} />
}
