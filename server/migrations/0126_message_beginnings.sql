-- Each word of a message as "=word", and each of its beginnings, for a search whose last word is still being typed
-- (docs/rules.md §7.5). Each is an entry of its own: for the beginning of a frequent word, an index of words alone gathers all
-- their messages, also those that no other word of the search is in.
create function message_beginnings(search_key text) returns tsvector language sql immutable strict parallel safe cost 5000 as $$
  select array_to_tsvector(array(
    select distinct entry
      from regexp_split_to_table(search_key, '[[:space:][:punct:]]+') word,
           lateral (select '=' || left(word, 100)
                    union all select left(word, n) from generate_series(1, least(length(word), 7)) n) entries (entry)
     where word <> ''))
$$;

-- All words of a text; the last one may be the beginning of a word. The rare words of more than seven letters are compared as
-- beginnings by the index.
create function words_sought(search_key text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg(case when at < last then '''=' || left(word, 100) || ''''
                         when length(word) <= 7 then '''' || word || ''''
                         else '''=' || left(word, 100) || ''':*' end, ' & ' order by at)::tsquery
    from (select word, at, max(at) over () as last
            from regexp_split_to_table(search_key, '[[:space:][:punct:]]+') with ordinality words (word, at)
           where word <> '') known
$$;
