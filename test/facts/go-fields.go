// Prints the fields of the API's types in the order and with the numbers that Go's structs give them: what source/api/data/go-fields.json
// holds. Facts only: names and numbers of the wire. To run it, put it into an empty folder and there:
//
//	go mod init facts && go get k8s.io/{api,apimachinery,client-go,apiextensions-apiserver,kube-aggregator}@v0.35.2
//	go run . < types.json > go-fields.json
//
// A line is a type; of each field its JSON name, `*` where Go has a pointer (then an empty value is not an absent one), and its number
// in protobuf. `+type` is a struct whose fields stand in its place in JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	crd "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

func nameOf(t reflect.Type) string {
	path := strings.ReplaceAll(t.PkgPath(), "/", ".")
	return strings.Replace(path, "k8s.io.", "io.k8s.", 1) + "." + t.Name()
}

func main() {
	fields := map[string]string{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Ptr || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || !strings.HasPrefix(t.PkgPath(), "k8s.io/") {
			return
		}
		if _, known := fields[nameOf(t)]; known {
			return
		}
		fields[nameOf(t)] = ""
		var words []string
		for i := 0; i < t.NumField(); i++ {
			field := t.Field(i)
			walk(field.Type)
			tag := strings.Split(field.Tag.Get("protobuf"), ",")
			if len(tag) < 2 {
				continue
			}
			name := strings.Split(field.Tag.Get("json"), ",")[0]
			kind := field.Type
			if kind.Kind() == reflect.Ptr {
				kind = kind.Elem()
			}
			if name == "" {
				name = "+" + nameOf(kind)
			}
			if field.Type.Kind() == reflect.Ptr {
				name += "*"
			}
			words = append(words, name+"="+tag[1])
		}
		if len(words) > 0 {
			fields[nameOf(t)] = strings.Join(words, " ")
		}
	}
	for _, t := range scheme.Scheme.AllKnownTypes() {
		walk(t)
	}
	walk(reflect.TypeOf(crd.CustomResourceDefinitionList{}))
	walk(reflect.TypeOf(aggregator.APIServiceList{}))
	printWanted(fields)
}

// Of all types those that the served API has, and the structs that stand in them.
func printWanted(fields map[string]string) {
	var served map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&served); err != nil {
		panic(err)
	}
	wanted := map[string]string{}
	var add func(name string)
	add = func(name string) {
		if fields[name] == "" || wanted[name] != "" {
			return
		}
		wanted[name] = fields[name]
		for _, word := range strings.Fields(fields[name]) {
			if strings.HasPrefix(word, "+") {
				add(strings.TrimSuffix(strings.Split(word[1:], "=")[0], "*"))
			}
		}
	}
	for name := range served {
		add(name)
	}
	text, _ := json.MarshalIndent(wanted, "", "")
	fmt.Println(string(text))
}
