import { infiniteQueryOptions, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { MoreRows } from './more-rows.tsx'

const key = ['rows-of-this-test']

/** A list of three pages. Each call waits until it is answered by `answer` or fails by `fail`. */
async function open() {
  const calls: Array<{ page: number; resolve: (row: string) => void; reject: (error: Error) => void }> = []
  let round = 1
  const rows = infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        calls.push({ page: pageParam, resolve, reject })
      }),
    initialPageParam: 1,
    getNextPageParam: (_, all) => (all.length < 3 ? all.length + 1 : null),
    retry: false,
  })
  let answers!: QueryClient
  function List() {
    const client = useQueryClient()
    useEffect(() => {
      answers = client
    }, [client])
    const query = useInfiniteQuery(rows)
    return (
      <>
        <p role="note">{query.data?.pages.join(' ')}</p>
        <MoreRows query={query} label="Thêm" />
      </>
    )
  }
  const { user } = await draw(<List />)
  const nextCall = async () => {
    await waitFor(() => expect(calls).not.toEqual([]))
    return calls.shift()!
  }
  const answer = async (page: number) => {
    const call = await nextCall()
    expect(call.page).toBe(page)
    await act(async () => call.resolve(`${page}.${round}`))
  }
  return {
    calls,
    answer,
    fail: async () => {
      const call = await nextCall()
      await act(async () => call.reject(new Error('no')))
    },
    shows: (text: string) => waitFor(() => expect(screen.getByRole('note').textContent).toBe(text)),
    press: () => user.click(screen.getByRole('button', { name: 'Thêm' })),
    /** What the server's events do; answers say from now on that they are newer. */
    askAgain: () =>
      act(async () => {
        round += 1
        void answers.invalidateQueries({ queryKey: key })
      }),
  }
}

test('a refetch that begins during a press does not swallow it, and one that is under way is not ended by it', async () => {
  const { calls, answer, shows, press, askAgain } = await open()
  await answer(1)
  await shows('1.1')
  await press()
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls.splice(0).map(({ page }) => page)).toEqual([2])
  await askAgain()
  await answer(1)
  await answer(2)
  await shows('1.2 2.2')

  await askAgain()
  await waitFor(() => expect(calls).toHaveLength(1))
  await press()
  await answer(1)
  await answer(2)
  await answer(3)
  await shows('1.3 2.3 3.3')
  expect(screen.queryByRole('button')).toBeNull()
})

test('a press whose page fails says so, also if a refetch failed first, and the next press asks again', async () => {
  const { answer, fail, shows, press, askAgain } = await open()
  await answer(1)
  await shows('1.1')
  await askAgain()
  await press()
  await fail()
  await fail()
  await screen.findByRole('alert')
  await press()
  await answer(2)
  await shows('1.1 2.2')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a press ends with its list: neither another list nor one that is gone is fetched on', async () => {
  const calls: string[] = []
  function List({ name }: { readonly name: string }) {
    const query = useInfiniteQuery({
      queryKey: [...key, name],
      queryFn: ({ pageParam, signal }) => {
        calls.push(name + pageParam)
        if (pageParam === 1) return name
        return new Promise<string>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      },
      initialPageParam: 1,
      getNextPageParam: (_, all) => all.length + 1,
      staleTime: Number.POSITIVE_INFINITY,
    })
    return <MoreRows key={name} query={query} label="Thêm" />
  }
  function Lists() {
    const [name, setName] = useState('a')
    const others = ['a', 'b', ''].map((one) => (
      <button key={one} type="button" onClick={() => setName(one)}>
        {`Danh sách ${one}`}
      </button>
    ))
    return (
      <>
        {others}
        {name !== '' && <List name={name} />}
      </>
    )
  }
  const { user } = await draw(<Lists />)
  const choose = (name: string) => user.click(screen.getByRole('button', { name: `Danh sách ${name}`.trim() }))
  const press = async () => user.click(await screen.findByRole('button', { name: 'Thêm' }))
  const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))
  await choose('b')
  await screen.findByRole('button', { name: 'Thêm' })
  await choose('a')
  await press()
  await choose('b')
  await settle()
  expect(calls).toEqual(['a1', 'b1', 'a2'])
  await press()
  await choose('')
  await settle()
  expect(calls).toEqual(['a1', 'b1', 'a2', 'b2'])
})
