// A checker of the open book that shares no code with the product: hashes, tiles, proofs and notes are those of Go's own
// checksum database. It reads files that lie in a folder as a log serves them, and the proofs beside them:
//
//	key                     the log's verifier key
//	checkpoint, tile/…      as docs/open-book.md §1 says
//	older                   an older signed note; consistency: the proof from it, a hash in base64 on each line
//	proof                   a file as c2sp.org/tlog-proof says, of an entry that is in the bundles
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func read(name string) []byte {
	data, err := os.ReadFile(filepath.Join(os.Args[1], filepath.FromSlash(name)))
	must("file", err)
	return data
}

// must ends the program with what was being verified and why it failed.
func must(what string, err error) {
	if err != nil {
		fmt.Printf("%s: %v\n", what, err)
		os.Exit(1)
	}
}

// path is a tile's path as tlog-tiles spells it: without the height, which is always eight.
func path(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
}

// stored holds all hashes of a tree in the library's order.
type stored []tlog.Hash

func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		hashes[at] = s[index]
	}
	return hashes, nil
}

// open verifies a note and reads the tree that it signs.
func open(what string, message []byte, verifier note.Verifier) tlog.Tree {
	opened, err := note.Open(message, note.VerifierList(verifier))
	must(what, err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		must(what, fmt.Errorf("not a checkpoint of %s", verifier.Name()))
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(what, err)
	root, err := tlog.ParseHash(lines[2])
	must(what, err)
	return tlog.Tree{N: size, Hash: root}
}

func parseHashes(what string, lines []string) (hashes []tlog.Hash) {
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		must(what, err)
		hashes = append(hashes, hash)
	}
	return hashes
}

func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

func main() {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read("key"))))
	must("key", err)
	tree := open("checkpoint", read("checkpoint"), verifier)

	// The entries of all bundles lead to the signed root. Every tile is computed anew from them and compared: the
	// library's TileHashReader, as Debian has it, leaves some full tiles unverified.
	var entries [][]byte
	var hashes stored
	for _, tile := range tlog.NewTiles(height, 0, tree.N) {
		isLast := tile.N == tree.N>>height && int64(tile.W) == tree.N&(1<<height-1)
		if tile.L > 0 || (tile.W < 1<<height && !isLast) {
			continue
		}
		bundle := read(strings.Replace(path(tile), "tile/0/", "tile/entries/", 1))
		for len(bundle) >= 2 && len(bundle)-2 >= int(binary.BigEndian.Uint16(bundle)) {
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			added, err := tlog.StoredHashes(int64(len(entries)), bundle[2:end], hashes)
			must("entry", err)
			hashes, entries, bundle = append(hashes, added...), append(entries, bundle[2:end]), bundle[end:]
		}
		if len(bundle) > 0 || int64(len(entries)) != tile.N<<height+int64(tile.W) {
			must("bundle", fmt.Errorf("%s: %d entries up to its end", tile.Path(), len(entries)))
		}
	}
	root, err := tlog.TreeHash(tree.N, hashes)
	must("entry", err)
	if root != tree.Hash {
		must("entry", fmt.Errorf("the entries lead to another root than the signed one"))
	}
	for _, tile := range tlog.NewTiles(height, 0, tree.N) {
		isLast := int64(tile.W) == tree.N>>(height*tile.L)&(1<<height-1)
		if tile.W < 1<<height && !isLast {
			continue
		}
		expected, err := tlog.ReadTileData(tile, hashes)
		must("tile", err)
		if !bytes.Equal(expected, read(path(tile))) {
			must("tile", fmt.Errorf("%s holds other hashes than its entries have", path(tile)))
		}
	}

	older := open("older", read("older"), verifier)
	consistency := tlog.TreeProof(parseHashes("consistency", lines(string(read("consistency")))))
	must("consistency", tlog.CheckTree(consistency, tree.N, tree.Hash, older.N, older.Hash))

	head, signed, _ := strings.Cut(string(read("proof")), "\n\n")
	proof := lines(head)
	if len(proof) < 2 || proof[0] != "c2sp.org/tlog-proof@v1" {
		must("proof", fmt.Errorf("not a proof"))
	}
	if strings.HasPrefix(proof[1], "extra ") {
		proof = proof[1:]
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(proof[1], "index "), 10, 64)
	must("proof", err)
	shown := open("proof", []byte(signed), verifier)
	if index < 0 || index >= shown.N || index >= tree.N {
		must("proof", fmt.Errorf("no entry %d", index))
	}
	inclusion := tlog.RecordProof(parseHashes("proof", proof[2:]))
	must("proof", tlog.CheckRecord(inclusion, shown.N, shown.Hash, index, tlog.RecordHash(entries[index])))

	fmt.Printf("verified: %d entries, a proof of entry %d, consistency with %d\n", tree.N, index, older.N)
}
