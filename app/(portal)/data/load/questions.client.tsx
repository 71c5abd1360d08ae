'use client'

import { type FormEvent, useEffect, useRef } from 'react'
import { Button } from '@/app/ui/button'
import { Notice } from '@/app/ui/notice'
import { type Answers, answersIn, type Question } from '@/lib/portal/load-questions'
import type { FieldGroup } from './field-options'
import { canBeAnswered, QUESTIONS, QuestionFields } from './questions'

type Props = {
  questions: readonly Question[]
  answers: Answers
  groups: FieldGroup[]
  onAnswer: (answers: Answers) => void
}

/** Asks what the files do not settle; the answers begin another look. */
export function Questions({ onAnswer, ...asked }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    onAnswer(answersIn(new FormData(event.currentTarget)))
  }
  return (
    <section aria-labelledby="questions" className="grid max-w-prose gap-4">
      <h2 id="questions" ref={heading} tabIndex={-1}>
        {QUESTIONS}
      </h2>
      <Notice title="Nothing was written yet.">
        <p>The files do not say this themselves. The answers are kept for the next files once these are loaded.</p>
      </Notice>
      <form onSubmit={submitted} className="grid gap-4">
        <QuestionFields {...asked} />
        {canBeAnswered(asked.questions) && (
          <div>
            <Button type="submit" look="main">
              Answer and look again
            </Button>
          </div>
        )}
      </form>
    </section>
  )
}
