-- Words of messages, for a search over all of them (docs/rules.md §7.5). The cost keeps the function out of plans that
-- would compute it for row after row instead of asking the index.
create function message_words(search_key text) returns tsvector language sql immutable strict parallel safe cost 5000 as $$
  select array_to_tsvector(array(
    select distinct left(word, 100) from regexp_split_to_table(search_key, '[[:space:][:punct:]]+') word where word <> ''))
$$;

-- All words of a text, each as the beginning of one.
create function words_beginning(search_key text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery from unnest(tsvector_to_array(message_words(search_key))) word
$$;
