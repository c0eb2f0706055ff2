-- All words of a text; the last one may be the beginning of a word, as while it is typed.
create or replace function words_beginning(search_key text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('''' || left(word, 100) || '''' || case when at = last then ':*' else '' end, ' & ' order by at)::tsquery
    from (select word, at, max(at) over () as last
            from regexp_split_to_table(search_key, '[[:space:][:punct:]]+') with ordinality words (word, at)
           where word <> '') known
$$;
